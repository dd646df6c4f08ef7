// Reading needs no script; this adds sorting by a column's head, with a pointer or the keys.
for (const table of document.querySelectorAll("table.sortable")) {
  const hint = document.createElement("span");
  hint.className = "hint";
  hint.textContent = " Press a column's head to sort by it.";
  table.closest(".scroll").previousElementSibling.append(hint);
  const heads = table.querySelectorAll("thead th");
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        const [p, q] = [parseFloat(x), parseFloat(y)];
        const order = isNaN(p) || isNaN(q) ? x.localeCompare(y) : p - q;
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
}
