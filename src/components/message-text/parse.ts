/** Parses the light formatting of messages in one pass over each line, without backtracking for unclosed marks. */
import { segmentText } from "../../../contract/links.ts";

type Style = "bold" | "italic" | "strike";

export type Inline =
  | string
  | { kind: Style; inside: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; text: string; href: string; host?: string }
  | { kind: "mention"; accountId: number }
  | { kind: "time"; text: string; seconds: number };

export type TextBlock =
  | { kind: "lines"; inside: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; inside: Inline[] }
  | { kind: "list"; first: number | null; items: Inline[][] };

interface ParseOptions {
  /** Mentioned accounts; any other `<@id>` stays text. */
  mentions?: readonly number[];
  /** Parses `1:23` as a position. */
  parseTimes?: boolean;
}

const FENCE = /^```[\w+-]*$/;
const ITEM = /^ {0,3}(?:[-•]|(\d{1,4})[.)]) (?=\S)/;
const QUOTE = /^ {0,3}> ?/;

const STYLES: Readonly<Record<string, Style>> = { "*": "italic", "**": "bold", "~~": "strike" };

const WORD = /[\p{L}\p{N}_]/u;
const SPACE = /\s/;
const BEFORE_TIME = /[\p{L}\p{N}_:.]/u;
/** An empty pair of backticks, code, asterisks, tildes, a mention, or a time or range of times that no digit or colon precedes, except a time of day. */
const TOKEN =
  /``|`(?<code>[^`]+)`|\*+|~+|<@(?<id>\d{1,15})>|(?<![\d:])(?:(?<hours>\d{1,2}):)?(?<minutes>[0-5]?\d):(?<seconds>[0-5]\d)(?![\d:])(?! ?[ap]\.?m\b)(?: ?[-–—] ?(?:\d{1,2}:)?[0-5]?\d:[0-5]\d(?![\d:]))?/gi;

/** Returns a message's text as blocks, top to bottom. */
export function parse(body: string, options: ParseOptions = {}): TextBlock[] {
  const lines = body.split("\n");
  const blocks: TextBlock[] = [];
  /** The last line that closes a code block; no block can open after it. */
  const lastFence = lines.findLastIndex((line) => line.trimEnd() === "```");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const last = blocks.at(-1);
    if (index < lastFence && FENCE.test(line.trimEnd())) {
      let end = index + 1;
      while (lines[end]!.trimEnd() !== "```") end += 1;
      const text = lines.slice(index + 1, end).join("\n");
      // An empty code block stays the text that was typed.
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
      const inside = parseLine(line.replace(QUOTE, ""), options);
      if (last?.kind === "quote") last.inside.push("\n", ...inside);
      else blocks.push({ kind: "quote", inside });
    } else if (item) {
      const first = item[1] === undefined ? null : Number(item[1]);
      const inside = parseLine(line.slice(item[0].length), options);
      if (last?.kind === "list" && (last.first === null) === (first === null)) last.items.push(inside);
      else blocks.push({ kind: "list", first, items: [inside] });
    } else {
      const inside = parseLine(line, options);
      if (last?.kind === "lines") last.inside.push("\n", ...inside);
      else blocks.push({ kind: "lines", inside });
    }
  }
  return blocks;
}

/** Returns the code of a line such as ```code```, otherwise null. */
const fenceInLine = (line: string): string | null => {
  const text = line.trim();
  return text.length > 6 && text.startsWith("```") && text.endsWith("```") ? text.slice(3, -3) : null;
};

function parseLine(line: string, options: ParseOptions): Inline[] {
  if (line === "") return [];
  const segments = segmentText(line);
  const stack = new InlineStack();
  let before = "";
  for (const [index, segment] of segments.entries()) {
    if (!("href" in segment)) {
      const next = segments[index + 1];
      parseSegment(segment.text, { before, after: next?.text[0] ?? "", mentions: options.mentions ?? [], parseTimes: options.parseTimes ?? false }, stack);
    } else {
      // Asterisks that close bold text are not part of the link before them.
      const stars = /\*+$/.exec(segment.text)?.[0] ?? "";
      const text = stars === "" ? segment.text : segment.text.slice(0, -stars.length);
      const href = stars !== "" && segment.href.endsWith(stars) ? segment.href.slice(0, -stars.length) : segment.href;
      stack.add({ kind: "link", text, href, ...(segment.host === undefined ? {} : { host: segment.host }) });
      // "x" stands for the link's last character: the asterisks follow a word, so they can close bold or italic text but not open it.
      if (stars !== "") parseSegment(stars, { before: "x", after: segments[index + 1]?.text[0] ?? "", mentions: [], parseTimes: false }, stack);
    }
    before = segment.text.at(-1) ?? before;
  }
  return stack.finish();
}

interface SegmentContext extends Required<ParseOptions> {
  /** The characters next to the segment. */
  before: string;
  after: string;
}

/** Parses a segment without links in one forward pass: what no token matches, or no rule accepts, stays text. */
function parseSegment(text: string, { before, after, mentions, parseTimes }: SegmentContext, stack: InlineStack): void {
  let plainStart = 0;
  for (const match of text.matchAll(TOKEN)) {
    const { 0: token, index: start, groups = {} } = match;
    const end = start + token.length;
    const left = start > 0 ? text[start - 1]! : before;
    const right = text[end] ?? after;
    const addPlainText = () => {
      if (start > plainStart) stack.add(text.slice(plainStart, start));
      plainStart = end;
    };
    const add = (inline: Inline) => {
      addPlainText();
      stack.add(inline);
    };
    if (groups["code"] !== undefined) add({ kind: "code", text: groups["code"] });
    else if (STYLES[token] !== undefined) {
      const kind = STYLES[token];
      if (left !== "" && !SPACE.test(left) && !WORD.test(right) && stack.has(kind)) {
        addPlainText();
        stack.close(kind);
      } else if (right !== "" && !SPACE.test(right) && !WORD.test(left) && !stack.has(kind)) {
        addPlainText();
        stack.open(kind, token);
      }
    } else if (groups["id"] !== undefined) {
      if (mentions.includes(Number(groups["id"]))) add({ kind: "mention", accountId: Number(groups["id"]) });
    } else if (groups["minutes"] !== undefined && parseTimes && !BEFORE_TIME.test(left) && !WORD.test(text[end] ?? "")) {
      const { hours = 0, minutes, seconds } = groups;
      add({ kind: "time", text: token, seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) });
    }
  }
  if (text.length > plainStart) stack.add(text.slice(plainStart));
}

/** Allows at most one open mark of each style; a mark that is never closed reverts to its characters. */
class InlineStack {
  private readonly levels: { kind: Style | null; mark: string; inside: Inline[] }[] = [{ kind: null, mark: "", inside: [] }];

  add(inline: Inline): void {
    const { inside } = this.levels.at(-1)!;
    const last = inside.length - 1;
    if (typeof inline === "string" && typeof inside[last] === "string") inside[last] += inline;
    else inside.push(inline);
  }
  has(kind: Style): boolean {
    return this.levels.some((level) => level.kind === kind);
  }
  open(kind: Style, mark: string): void {
    this.levels.push({ kind, mark, inside: [] });
  }
  close(kind: Style): void {
    while (this.levels.at(-1)!.kind !== kind) this.revertTop();
    const { inside } = this.levels.pop()!;
    this.add({ kind, inside });
  }
  private revertTop(): void {
    const { mark, inside } = this.levels.pop()!;
    for (const inline of [mark, ...inside]) this.add(inline);
  }
  finish(): Inline[] {
    while (this.levels.length > 1) this.revertTop();
    return this.levels[0]!.inside;
  }
}

/**
 * Reduces a message to one line of plain text for quotes, announcements and notifications: without formatting and line breaks, with current names for
 * mentions. `mentions`: the accounts that are really mentioned.
 */
export function excerptOf(body: string, nameOf: (accountId: number) => string, mentions: readonly number[] = []): string {
  const texts = parse(body, { mentions }).map((block) => {
    if (block.kind === "code") return block.text;
    if (block.kind === "list") return block.items.map((item) => plainText(item, nameOf)).join(" · ");
    return plainText(block.inside, nameOf);
  });
  return texts.join(" ").replace(/\s+/g, " ").trim();
}

function plainText(inside: readonly Inline[], nameOf: (accountId: number) => string): string {
  return inside
    .map((inline) => {
      if (typeof inline === "string") return inline;
      if (inline.kind === "mention") return `@${nameOf(inline.accountId)}`;
      return "inside" in inline ? plainText(inline.inside, nameOf) : inline.text;
    })
    .join("");
}
