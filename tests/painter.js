// What the page for painting maps does without a page: texts are read and written, hexsides toggled, directions hold.
// Run by tests/data.rs with the page's script; prints the text of the map it was given, and of a map with everything.
"use strict";
const assert = require("assert"), fs = require("fs");
const page = fs.readFileSync(process.argv[2], "utf8");
const script = page.slice(page.indexOf('"use strict";'), page.lastIndexOf("</script>"));
const p = {}; new Function("module", script)({ set exports(all) { Object.assign(p, all); } });
const book = JSON.parse(page.split('type="application/json">')[1].split("</script>")[0]);

for (const lower of ["even", "odd"]) {
  const g = p.blank(9, 9, lower, "clear");
  for (const h of Object.keys(g.hexes)) for (let d = 0; d < 6; d++) assert.strictEqual(p.step(g, p.step(g, h, d), (d + 3) % 6), h);
}
assert.deepStrictEqual([[0, -1], [1, -0.6], [1, 0.6], [0, 1], [-1, 0.6], [-1, -0.6]].map((v) => p.toward(v[0], v[1])), [0, 1, 2, 3, 4, 5]);

const all = p.blank(6, 4, "even", "clear");
all.hexes["0502"] = { terrain: "hill", features: ["church"], level: 2 };
delete all.hexes["0601"];
p.toggle(all.sides, "creek", "0101", "0201");
p.toggle(all.sides, "creek", "0202", "0201");
p.toggle(all.sides, "creek", "0201", "0101");
p.toggle(all.sides, "slope", "0503", "0402", true);
p.toggle(all.roads, "road", "0102", "0202");
all.places.push({ name: 'Mill "Town": # 1', hexes: ["0203", "0303"] });
all.how = "x: y # z";
const text = p.write(all, book);
assert.strictEqual(p.write(p.read(text), book), text);
assert(!text.includes("0101-0201") && text.includes("0202-0201") && text.includes("0503>0402"));
for (const bad of ["", "kind: map\n", text.replace("    02:", "    02: ."), text.replace('"0502"', "zz"), text + "  what is this\n"])
  assert.throws(() => p.read(bad), Error, bad);

console.log(p.write(p.read(book.map), book) + "=====\n" + text);
