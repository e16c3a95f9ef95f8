import { expect, test } from "vitest";
import { accessibleName, toAgentIds } from "./agent-accounts.ts";

test("agents are found among the people", () => {
  const members = [{ id: 1 }, { id: 2, is_agent: true }, { id: 3, is_agent: false }];
  expect([...toAgentIds(members)]).toEqual([2]);
  expect([...toAgentIds([{ id: 1 }])]).toEqual([]);
});

test("a screen reader hears that a name is an agent's", () => {
  expect(accessibleName("Mixbot", true)).toBe("Mixbot, agent");
  expect(accessibleName("Ana", false)).toBe("Ana");
});
