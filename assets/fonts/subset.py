#!/usr/bin/env python3
"""Makes the embedded fonts again, from Debian's packages fonts-inter (Inter 3.019) and
fonts-dejavu-core (DejaVu Sans 2.37), with fonttools. Run it in this folder.

Inter's digits become the ones of equal width (its feature "tnum"), so that numbers in columns line
up. Inter has no playing-card suits; these and a few other symbols come from DejaVu Sans.
"""

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TEXT = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x218, 0x21B), (0x2C6, 0x2C6), (0x2DC, 0x2DC),
    (0x391, 0x3A9), (0x3B1, 0x3C9), (0x401, 0x401), (0x404, 0x404), (0x406, 0x407),
    (0x410, 0x44F), (0x451, 0x451), (0x454, 0x454), (0x456, 0x457), (0x490, 0x491),
    (0x1E9E, 0x1E9E), (0x2010, 0x2015), (0x2018, 0x201E), (0x2020, 0x2022), (0x2026, 0x2026),
    (0x2030, 0x2030), (0x2032, 0x2033), (0x2039, 0x203A), (0x2044, 0x2044), (0x2070, 0x2070),
    (0x2074, 0x2079), (0x207B, 0x207B), (0x2080, 0x2089), (0x20AC, 0x20AC), (0x2116, 0x2116),
    (0x2122, 0x2122), (0x2190, 0x2193), (0x2202, 0x2202), (0x2206, 0x2206), (0x220F, 0x220F),
    (0x2211, 0x2212), (0x221A, 0x221A), (0x221E, 0x221E), (0x2248, 0x2248), (0x2260, 0x2260),
    (0x2264, 0x2265), (0x25A0, 0x25A0), (0x25B2, 0x25B3), (0x25BC, 0x25BD), (0x25C6, 0x25C6),
    (0x25CF, 0x25CF),
]
SYMBOLS = [
    (0x2194, 0x2199), (0x2200, 0x2200), (0x2203, 0x2203), (0x2208, 0x2208), (0x2227, 0x2228),
    (0x2261, 0x2261), (0x25A1, 0x25A1), (0x25AA, 0x25AB), (0x25B6, 0x25B6), (0x25C0, 0x25C0),
    (0x25C7, 0x25C7), (0x25CB, 0x25CB), (0x2605, 0x2606), (0x2654, 0x2667), (0x2713, 0x2713),
    (0x2717, 0x2717), (0x2A2F, 0x2A2F),
]


def subset(source, target, ranges, tabular):
    font = TTFont(source, recalcTimestamp=False)
    if tabular:
        swap = {}
        for record in font["GSUB"].table.FeatureList.FeatureRecord:
            if record.FeatureTag == "tnum":
                for index in record.Feature.LookupListIndex:
                    for table in font["GSUB"].table.LookupList.Lookup[index].SubTable:
                        table = getattr(table, "ExtSubTable", table)
                        swap.update(table.mapping)
        for cmap in font["cmap"].tables:
            for code in range(0x30, 0x3A):
                if code in cmap.cmap:
                    cmap.cmap[code] = swap.get(cmap.cmap[code], cmap.cmap[code])
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    options.drop_tables += ["GDEF", "GPOS", "GSUB", "MATH", "FFTM", "kern", "gasp"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[c for first, last in ranges for c in range(first, last + 1)])
    subsetter.subset(font)
    font.save(target)


for weight in ("Regular", "SemiBold"):
    subset(
        f"/usr/share/fonts/opentype/inter/Inter-{weight}.otf",
        f"Inter-{weight}-subset.otf",
        TEXT,
        tabular=True,
    )
subset(
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "DejaVuSans-symbols-subset.ttf",
    SYMBOLS,
    tabular=False,
)
