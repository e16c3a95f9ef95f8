/** The light formatting of messages: one pass over each line, nothing is ever looked at twice for what stands open elsewhere. */
import type { Segment } from "../../../contract/links.ts";

export type Inline =
  | string
  | { kind: "bold" | "italic"; inside: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; text: string; href: string; host?: string }
  | { kind: "mention"; accountId: number }
  | { kind: "time"; text: string; seconds: number };

export type Block =
  | { kind: "lines"; inside: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; inside: Inline[] }
  | { kind: "list"; first: number | null; items: Inline[][] };

export interface Reading {
  /** Cuts a text into plain pieces and links; without it nothing becomes a link. */
  find?: ((text: string) => Segment[]) | null;
  /** Who is mentioned; any other `<@id>` stays text. */
  mentions?: readonly number[];
  /** Whether `1:23` leads somewhere. */
  times?: boolean;
}

const FENCE = /^```[\w+-]*$/;
const ITEM = /^ {0,3}(?:[-•]|(\d{1,4})[.)]) (?=\S)/;
const QUOTE = /^ {0,3}> ?/;

/** A message's text as blocks, top to bottom. */
export function parse(body: string, reading: Reading = {}): Block[] {
  const lines = body.split("\n");
  const blocks: Block[] = [];
  /** The last line that ends a block of code; beyond it nothing can be opened. */
  const lastFence = lines.findLastIndex((line) => line.trimEnd() === "```");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const last = blocks.at(-1);
    if (index < lastFence && FENCE.test(line.trimEnd())) {
      let end = index + 1;
      while (lines[end]!.trimEnd() !== "```") end += 1;
      const text = lines.slice(index + 1, end).join("\n");
      // Marks around nothing are what somebody wrote.
      if (text.trim() !== "") {
        blocks.push({ kind: "code", text });
        index = end;
        continue;
      }
    }
    const fence = fenceInLine(line);
    const item = ITEM.exec(line);
    if (fence !== null) blocks.push({ kind: "code", text: fence });
    else if (QUOTE.test(line)) {
      const inside = parseLine(line.replace(QUOTE, ""), reading);
      if (last?.kind === "quote") last.inside.push("\n", ...inside);
      else blocks.push({ kind: "quote", inside });
    } else if (item) {
      const first = item[1] === undefined ? null : Number(item[1]);
      const inside = parseLine(line.slice(item[0].length), reading);
      if (last?.kind === "list" && (last.first === null) === (first === null)) last.items.push(inside);
      else blocks.push({ kind: "list", first, items: [inside] });
    } else {
      const inside = parseLine(line, reading);
      if (last?.kind === "lines") last.inside.push("\n", ...inside);
      else blocks.push({ kind: "lines", inside });
    }
  }
  return blocks;
}

/** ```all in one line``` */
const fenceInLine = (line: string): string | null => {
  const text = line.trim();
  return text.length > 6 && text.startsWith("```") && text.endsWith("```") ? text.slice(3, -3) : null;
};

function parseLine(line: string, reading: Reading): Inline[] {
  if (line === "") return [];
  const segments = reading.find ? reading.find(line) : [{ text: line }];
  const open = new Openings();
  let before = "";
  for (const [index, segment] of segments.entries()) {
    if (!("href" in segment)) {
      const next = segments[index + 1];
      walk(segment.text, { before, after: next?.text[0] ?? "", mentions: reading.mentions ?? [], times: reading.times ?? false }, open);
    } else {
      // What closes a strong word is not part of the address in it.
      const stars = /\*+$/.exec(segment.text)?.[0] ?? "";
      const text = stars === "" ? segment.text : segment.text.slice(0, -stars.length);
      const href = stars !== "" && segment.href.endsWith(stars) ? segment.href.slice(0, -stars.length) : segment.href;
      open.add({ kind: "link", text, href, ...(segment.host === undefined ? {} : { host: segment.host }) });
      if (stars !== "") walk(stars, { before: "x", after: segments[index + 1]?.text[0] ?? "", mentions: [], times: false }, open);
    }
    before = segment.text.at(-1) ?? before;
  }
  return open.end();
}

const WORD = /[\p{L}\p{N}_]/u;
const SPACE = /\s/;
const MENTION = /<@(\d{1,15})>/y;
const TIME = /(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?![\d:])/y;

interface Around {
  /** The characters beside the piece. */
  before: string;
  after: string;
  mentions: readonly number[];
  times: boolean;
}

/** Reads a piece without links. Every step goes on by what it has read. */
function walk(text: string, { before, after, mentions, times }: Around, open: Openings): void {
  let plain = 0;
  let at = 0;
  /** No second one stands beyond: looked for once. */
  const lastTick = text.lastIndexOf("`");
  const flush = (to: number) => {
    if (to > plain) open.add(text.slice(plain, to));
  };
  const take = (length: number, inline?: Inline) => {
    flush(at);
    if (inline !== undefined) open.add(inline);
    at += length;
    plain = at;
  };
  while (at < text.length) {
    const char = text[at]!;
    if (char === "`" && at < lastTick) {
      const end = text.indexOf("`", at + 1);
      if (end > at + 1) take(end + 1 - at, { kind: "code", text: text.slice(at + 1, end) });
      else at = end + 1;
      continue;
    }
    if (char === "*") {
      const run = starsFrom(text, at);
      const left = at > 0 ? text[at - 1]! : before;
      const right = text[at + run] ?? after;
      const kind = run === 1 ? "italic" : run === 2 ? "bold" : null;
      if (kind && left !== "" && !SPACE.test(left) && !WORD.test(right) && open.has(kind)) {
        flush(at);
        open.close(kind);
        at += run;
        plain = at;
      } else if (kind && right !== "" && !SPACE.test(right) && !WORD.test(left) && !open.has(kind)) {
        flush(at);
        open.open(kind, text.slice(at, at + run));
        at += run;
        plain = at;
      } else at += run;
      continue;
    }
    if (char === "<" && text[at + 1] === "@") {
      MENTION.lastIndex = at;
      const match = MENTION.exec(text);
      if (match && mentions.includes(Number(match[1]))) {
        take(match[0].length, { kind: "mention", accountId: Number(match[1]) });
        continue;
      }
    }
    if (times && char >= "0" && char <= "9" && !/[\p{L}\p{N}_:.]/u.test(at > 0 ? text[at - 1]! : before)) {
      TIME.lastIndex = at;
      const match = TIME.exec(text);
      if (match && !WORD.test(text[at + match[0].length] ?? "")) {
        take(match[0].length, { kind: "time", text: match[0], seconds: Number(match[1] ?? 0) * 3600 + Number(match[2]) * 60 + Number(match[3]) });
        continue;
      }
    }
    at += 1;
  }
  flush(text.length);
}

function starsFrom(text: string, at: number): number {
  let end = at;
  while (text[end] === "*") end += 1;
  return end - at;
}

/** At most one bold and one italic stand open; what is never closed turns back into the characters it was. */
class Openings {
  private readonly levels: { kind: "bold" | "italic" | null; mark: string; inside: Inline[] }[] = [{ kind: null, mark: "", inside: [] }];

  add(inline: Inline): void {
    const { inside } = this.levels.at(-1)!;
    const last = inside.length - 1;
    if (typeof inline === "string" && typeof inside[last] === "string") inside[last] += inline;
    else inside.push(inline);
  }
  has(kind: "bold" | "italic"): boolean {
    return this.levels.some((level) => level.kind === kind);
  }
  open(kind: "bold" | "italic", mark: string): void {
    this.levels.push({ kind, mark, inside: [] });
  }
  close(kind: "bold" | "italic"): void {
    while (this.levels.at(-1)!.kind !== kind) this.giveUp();
    const { inside } = this.levels.pop()!;
    this.add({ kind, inside });
  }
  private giveUp(): void {
    const { mark, inside } = this.levels.pop()!;
    for (const inline of [mark, ...inside]) this.add(inline);
  }
  end(): Inline[] {
    while (this.levels.length > 1) this.giveUp();
    return this.levels[0]!.inside;
  }
}
