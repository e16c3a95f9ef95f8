/** Types and helpers that build the request of a matrix row for each person. */
import type { UntypedInput } from "../client.ts";
import type { Person } from "../people.ts";
import type { Scenario } from "./scenario.ts";

export type RequestBuilder = (scenario: Scenario, actor: Person) => UntypedInput | Promise<UntypedInput>;
type IdSelector = (scenario: Scenario, actor: Person) => number | Promise<number>;

export const inBody = (name: string, selectId: IdSelector) => async (scenario: Scenario, actor: Person) => ({
  body: { [name]: await selectId(scenario, actor) },
});
export const inPath = (name: string, selectId: IdSelector, body?: object) => async (scenario: Scenario, actor: Person) => ({
  params: { [name]: await selectId(scenario, actor) },
  body,
});
