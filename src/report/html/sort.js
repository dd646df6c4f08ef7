// Reading needs no script; this adds sorting by a click on a column's head.
for (const table of document.querySelectorAll("table.sortable")) {
  table.previousElementSibling?.append(" Click a head to sort.");
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
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
