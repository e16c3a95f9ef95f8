/** How a row of the table is asked by each person. */
import type { Wild } from "../client.ts";
import type { Person } from "../people.ts";
import type { Stage } from "./actors.ts";

export type Ask = (stage: Stage, by: Person) => Wild | Promise<Wild>;
type Pick = (stage: Stage, by: Person) => number | Promise<number>;

export const inBody = (name: string, pick: Pick) => async (stage: Stage, by: Person) => ({ body: { [name]: await pick(stage, by) } });
export const inPath = (name: string, pick: Pick, body?: object) => async (stage: Stage, by: Person) => ({ params: { [name]: await pick(stage, by) }, body });
