/**
 * Defines the text catalog: all interface text, in one table of plain strings per feature in this folder. The compiler checks keys and
 * `{placeholders}`.
 */

/** One text, or one per plural form of `{count}`. */
export type Text = string | { one: string; other: string };

type PlaceholdersIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholdersIn<Rest> : never;
type PlaceholdersOf<T> = T extends { one: infer A; other: infer B } ? "count" | PlaceholdersIn<A> | PlaceholdersIn<B> : PlaceholdersIn<T>;
type Values<T> = { [Name in PlaceholdersOf<T>]: Name extends "count" ? number : string | number };
type Arguments<T> = [PlaceholdersOf<T>] extends [never] ? [] : [values: Values<T>];

export interface TextFunction<C extends Record<string, Text>> {
  <K extends keyof C & string>(key: K, ...values: Arguments<C[K]>): string;
  /** The table itself, for tests and translators. */
  texts: C;
}

const plural = new Intl.PluralRules("en");
const number = new Intl.NumberFormat("en");

function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (match, name: string) => {
    const value = values[name];
    return value === undefined ? match : typeof value === "number" ? number.format(value) : value;
  });
}

/** Creates a feature's `t("key", { placeholder })`. */
export function defineTexts<const C extends Record<string, Text>>(texts: C): TextFunction<C> {
  const t = (key: keyof C & string, values: Record<string, string | number> = {}) => {
    const text: Text = texts[key]!;
    return fill(typeof text === "string" ? text : text[plural.select(Number(values["count"])) === "one" ? "one" : "other"], values);
  };
  return Object.assign(t, { texts });
}
