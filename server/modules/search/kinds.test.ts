/** Tests that the description of the search names the rule of each kind, from which clients and the authorization matrix know what it asks. */
import { expect, it } from "vitest";
import { search } from "../../../contract/operations/search.ts";
import { KINDS } from "./kinds.ts";

it.each(Object.values(KINDS).map(({ rule }) => rule))("the search lists the rule %s", (rule) => {
  expect(search.furtherRules).toContain(rule);
});
