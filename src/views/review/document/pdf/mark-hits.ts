import { findHits } from "../../../../../contract/search-tokens.ts";

/** A hyphen at the end of a line divides a word. */
const DIVIDED_WORD = /\p{Ll}[-\u2010\u00AD]$/u;

/** Marks the words of a query in the text over a drawn page. A word that is divided between elements of the text is marked in each of them. */
export function markHits(layer: HTMLElement, query: string): void {
  for (const mark of layer.querySelectorAll("mark")) mark.replaceWith(...mark.childNodes);
  layer.normalize();
  if (query === "") return;
  const { text, pieces } = readText(layer);
  const hits = findHits(text, query).toReversed();
  for (const { node, start, end } of pieces)
    // From the end, so that a text node that is split keeps its beginning.
    for (const hit of hits) {
      const [from, to] = [Math.max(hit.start, start), Math.min(hit.end, end)];
      if (from < to) wrap(node, from - start, to - start);
    }
}

/** Returns the text with divided words in one piece, and where the text nodes are in it. */
function readText(layer: HTMLElement) {
  const walker = layer.ownerDocument.createTreeWalker(layer, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const pieces: { node: Text; start: number; end: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const last = pieces.at(-1);
    if (node instanceof Text) {
      const start = text.length;
      text += node.data;
      pieces.push({ node, start, end: text.length });
    } else if (node.nodeName === "BR" && last && DIVIDED_WORD.test(text)) {
      text = text.slice(0, -1);
      last.end -= 1;
    } else if (node.nodeName === "BR") text += "\n";
  }
  return { text, pieces };
}

function wrap(node: Text, from: number, to: number): void {
  const hit = node.splitText(from);
  hit.splitText(to - from);
  const mark = node.ownerDocument.createElement("mark");
  hit.replaceWith(mark);
  mark.append(hit);
}
