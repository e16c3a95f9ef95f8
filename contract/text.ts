/** Schemas for text, ids and times on the wire: values are validated, never repaired. */
import "./zod-settings.ts";
import * as z from "zod/mini";

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
/** C0 control characters except tab, line feed and carriage return. */
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/;
const LINE_BREAK = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/;
const JOINING_SCRIPTS = "Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala"
  .split(" ")
  .map((script) => String.raw`\p{Script=${script}}`)
  .join("");
/**
 * Characters that nobody sees, which make a name look like another or reorder the text around it: what Unicode says to ignore in display (joiners, fillers,
 * variation selectors, tags, direction marks), annotation marks, and two characters that are drawn as nothing.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800\u{1D159}]/u;
/**
 * Such characters where they change what people see: in emoji sequences, between letters of scripts that join, and after ideographs, whose variants some names
 * need.
 */
const VISIBLE_SEQUENCES = new RegExp(
  [
    String.raw`(?<=\p{Extended_Pictographic})\uFE0F`,
    String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\u{1F3F4})[\u{E0020}-\u{E007E}]+\u{E007F}`,
    String.raw`(?<=[${JOINING_SCRIPTS}]\p{M}*)[\u200C\u200D](?=[${JOINING_SCRIPTS}])`,
    String.raw`(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  ].join("|"),
  "gu",
);

const INVISIBLE_OR_VISIBLE = new RegExp(`(${VISIBLE_SEQUENCES.source})|${INVISIBLE.source}`, "gu");

/**
 * Returns the name that somebody sees: without the invisible characters that a name must not have, which come along with copied text, such as soft hyphens,
 * and without spaces around it.
 */
export function cleanName(name: string, invisible?: "nowhere"): string {
  const cleaned = name.replaceAll(invisible === "nowhere" ? new RegExp(INVISIBLE, "gu") : INVISIBLE_OR_VISIBLE, (_match, visible?: unknown) =>
    typeof visible === "string" ? visible : "",
  );
  // What is left may stand beside other characters now.
  return cleaned === name ? name.trim() : cleanName(cleaned, invisible);
}

/** Formats a number for messages, such as 10,000. */
export const formatCount = (count: number): string => count.toLocaleString("en");

interface TextLimits {
  min?: number;
  max: number;
  singleLine?: boolean;
  /** Where a single line may have invisible characters: by default only where they change what people see. */
  invisible?: "nowhere" | "anywhere";
}

/** Returns a description of what is wrong with `text`, or null. Lengths count code points, not UTF-16 units. */
export function findTextIssue(text: string, limits: TextLimits): string | null {
  if (text.includes("\0")) return "must not contain NUL characters";
  if (LONE_SURROGATE.test(text)) return "must be well-formed Unicode (it has a lone surrogate)";
  if (limits.singleLine ? LINE_BREAK.test(text) : CONTROL.test(text)) {
    return limits.singleLine ? "must be one line without control characters" : "must not contain control characters";
  }
  if (limits.singleLine && limits.invisible !== "anywhere" && INVISIBLE.test(limits.invisible === "nowhere" ? text : text.replaceAll(VISIBLE_SEQUENCES, "")))
    return "must not contain invisible characters";
  const length = text.length <= limits.max ? text.length : [...text].length;
  if (length > limits.max) return `must have at most ${formatCount(limits.max)} characters (it has ${formatCount(length)})`;
  if ((limits.singleLine ? text.trim() : text).length < (limits.min ?? 0)) return "must not be empty";
  return null;
}

/**
 * Returns the key under which two names of people, groups, statuses or templates, or two email addresses, are the same: they differ only in case, width,
 * Unicode form or spaces around them. Files have a rule of their own (`fileNameKey`).
 */
export const nameKey = (name: string): string => name.trim().normalize("NFKC").toLowerCase().normalize("NFKC");

/** Rejects text that a database engine would refuse or change. */
const wellFormed = z.check<string>((context) => {
  const issue = findTextIssue(context.value, { max: Infinity });
  if (issue) context.issues.push({ code: "custom", message: issue, input: context.value });
});

function constrainedString(limits: TextLimits) {
  return z.string().check(
    z.check<string>((context) => {
      const issue = findTextIssue(context.value, limits);
      if (issue) context.issues.push({ code: "custom", message: issue, input: context.value });
    }),
    z.meta({ maxLength: limits.max, ...(limits.min ? { minLength: limits.min } : {}) }),
  );
}

/** Free text of several lines. */
export const text = (max: number, min = 0) => constrainedString({ min, max });
/** A name or title: one line, not blank. */
export const line = (max: number, min = 1) => constrainedString({ min, max, singleLine: true });
/** What somebody searches for: one line, which may be copied from a text with invisible characters. */
export const searchText = (max: number, min = 1) => constrainedString({ min, max, singleLine: true, invisible: "anywhere" });

/** Adds a description for the API reference to the schema. */
export const withDescription = <S extends z.ZodMiniType>(schema: S, description: string): S => schema.check(z.describe(description));

const USERNAME_LIMITS: TextLimits = { min: 1, max: 60, singleLine: true, invisible: "nowhere" };

/** Returns what is wrong with a person's name: it has no "@", so that nobody can use another person's email address as a name. */
export const findUsernameIssue = (name: string): string | null => findTextIssue(name, USERNAME_LIMITS) ?? (name.includes("@") ? "must not contain @" : null);

/** A person's name. */
export const username = z.string().check(
  z.check<string>((context) => {
    const issue = findUsernameIssue(context.value);
    if (issue) context.issues.push({ code: "custom", message: issue, input: context.value });
  }),
  z.meta({ maxLength: USERNAME_LIMITS.max, minLength: 1 }),
);

export const id = z.int().check(z.positive());
const positiveIntegerText = () => z.pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a positive integer")), z.transform(Number));
/** An id in a path or query string. */
export const idInPath = positiveIntegerText();
/** A page size in a query string. */
export const limitInQuery = positiveIntegerText();
/** Several comma-separated values, each matching `pattern`. */
export const commaSeparated = (pattern: string, expected: string) =>
  z.pipe(
    z.string().check(z.maxLength(6_000), z.regex(new RegExp(`^(?:${pattern})(?:,(?:${pattern}))*$`), `must be ${expected}, separated by commas`)),
    z.transform((value) => value.split(",")),
  );
/** Id that a client chooses for a message or comment that it creates. */
export const clientId = z.string().check(z.regex(/^[\w.:-]{8,64}$/, "must be 8 to 64 letters, digits or . _ : -"));
/** ISO 8601 in UTC. Parsing is tolerant; output has milliseconds and "Z". */
export const timestamp = z.string().check(z.meta({ format: "date-time" }));
/** A timestamp from a caller: ISO 8601 with any offset. */
export const dateTime = z.iso.datetime({ offset: true });
const DAY = /^(\d{4}-\d{2}-\d{2})(T00:00(:00(\.0{1,9})?)?Z)?$/;
/** Returns whether the day exists. */
export const isDay = (value: string): boolean => {
  const [, day] = DAY.exec(value) ?? [];
  // `Date` turns a day that does not exist, such as February 30, into a day of the next month.
  return day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
};
/** A calendar day from a caller, independent of time zone: "2026-03-02", or its start in UTC. */
export const day = z.string().check(z.refine(isDay, { message: "must be a day, such as 2026-03-02 or 2026-03-02T00:00:00Z" }), z.meta({ pattern: DAY.source }));
export const email = z.string().check(wellFormed, z.maxLength(254), z.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, "must be a valid email address"));
/** At least 12 characters to resist guessing, at most 256 to limit the cost of hashing. */
export const newPassword = z
  .string()
  .check(wellFormed, z.minLength(12, "must have at least 12 characters"), z.maxLength(256, "must have at most 256 characters"));
/** A secret from a link or a form, compared but never stored. */
export const secret = z.string().check(wellFormed, z.minLength(1, "must not be empty"), z.maxLength(256));
/** The login name: a username or an email address. */
export const login = z.string().check(wellFormed, z.minLength(1, "must not be empty"), z.maxLength(254));
