import { expect, test } from "vitest";
import { omitEqual } from "./use-record-form.ts";

test("saved changes are dropped from a form, and what was changed while they were being saved stays", () => {
  const sent: { zone?: string; locale?: string; hours?: null } = { zone: "Europe/Berlin", locale: "de" };
  expect(omitEqual(sent, sent)).toEqual({});
  expect(omitEqual({ ...sent, locale: "fr" }, sent)).toEqual({ locale: "fr" });
  expect(omitEqual({ ...sent, hours: null }, sent)).toEqual({ hours: null });
});
