import { expect, test } from "vitest";
import { t as chat } from "./chat.ts";
import { defineTexts, type Text } from "./define-texts.ts";
import { t as dialogs } from "./dialogs.ts";
import { t as members } from "./members.ts";
import { t as messageText } from "./message-text.ts";
import { t as people } from "./people.ts";
import { t as player } from "./player.ts";
import { t as problems } from "./problems.ts";
import { t as review } from "./review.ts";
import { t as settings } from "./settings.ts";
import { t as shell } from "./shell.ts";
import { t as signIn } from "./sign-in.ts";
import { t as signOut } from "./sign-out.ts";
import { t as webhooks } from "./webhooks.ts";

const t = defineTexts({
  plain: "Search",
  named: "Join {organisation} as {role}",
  count: { one: "One person in {place}", other: "{count} people in {place}" },
});

test("placeholders are filled, and the count selects the plural form", () => {
  expect(t("plain")).toBe("Search");
  expect(t("named", { organisation: "Northlight", role: "guest" })).toBe("Join Northlight as guest");
  expect(t("count", { count: 1, place: "A" })).toBe("One person in A");
  expect(t("count", { count: 0, place: "A" })).toBe("0 people in A");
  expect(t("count", { count: 1234, place: "A" })).toBe("1,234 people in A");
});

test("filled values are not parsed as placeholders or replacement patterns", () => {
  expect(t("named", { organisation: "{role}", role: "$&" })).toBe("Join {role} as $&");
});

test("the compiler checks keys and placeholders", () => {
  // @ts-expect-error no such key
  expect(() => t("nowhere")).toThrow();
  // @ts-expect-error the role is missing, so its placeholder stays visible
  expect(t("named", { organisation: "N" })).toBe("Join N as {role}");
});

const catalogs: [string, Record<string, Text>][] = Object.entries({
  chat,
  dialogs,
  members,
  messageText,
  people,
  player,
  problems,
  review,
  settings,
  shell,
  signIn,
  signOut,
  webhooks,
}).map(([name, { texts }]) => [name, texts]);
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).toSorted();

test.each(catalogs)("%s: no text is empty, and plural forms have the same placeholders", (_, texts) => {
  expect(Object.keys(texts).length).toBeGreaterThan(0);
  for (const [key, text] of Object.entries(texts)) {
    for (const form of typeof text === "string" ? [text] : [text.one, text.other]) {
      expect(form.trim(), key).toBe(form);
      expect(form, key).not.toBe("");
    }
    if (typeof text !== "string") {
      const otherPlaceholders = (form: string) => placeholders(form).filter((name) => name !== "count");
      expect(otherPlaceholders(text.one), key).toEqual(otherPlaceholders(text.other));
    }
  }
});
