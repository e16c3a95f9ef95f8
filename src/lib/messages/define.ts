/**
 * The message catalogue: every text a person reads, one file per room beside this one, each a table of plain texts.
 * Keys and `{placeholders}` are checked by the compiler; a lazy room brings its texts in its own chunk.
 */

/** A text, or one per plural form of `{count}`. */
export type Text = string | { one: string; other: string };

type NamesIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesOf<T> = T extends { one: infer A; other: infer B } ? "count" | NamesIn<A> | NamesIn<B> : NamesIn<T>;
type Values<T> = { [Name in NamesOf<T>]: Name extends "count" ? number : string | number };
type Arguments<T> = [NamesOf<T>] extends [never] ? [] : [values: Values<T>];

export interface Room<C extends Record<string, Text>> {
  <K extends keyof C & string>(key: K, ...values: Arguments<C[K]>): string;
  /** The table itself, for tests and translators. */
  texts: C;
}

const plural = new Intl.PluralRules("en");
const number = new Intl.NumberFormat("en");

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? number.format(value) : value;
  });
}

/** Makes a room's `t("key", { placeholder })`. */
export function room<const C extends Record<string, Text>>(texts: C): Room<C> {
  const t = (key: keyof C & string, values: Record<string, string | number> = {}) => {
    const text: Text = texts[key]!;
    return fill(typeof text === "string" ? text : text[plural.select(Number(values["count"])) === "one" ? "one" : "other"], values);
  };
  return Object.assign(t, { texts });
}
