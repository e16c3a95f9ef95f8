/** A sample organisation with sound, pictures and three weeks of chat, for who has none of their own yet. */
import * as z from "zod/mini";
import { operation, single } from "../define.ts";
import { withDescription, id } from "../text.ts";

export const DEMO_STEPS = ["people", "songs", "chat", "listening"] as const;
export type DemoStep = (typeof DEMO_STEPS)[number];

export const demo = z.looseObject({
  /** `failed`: also where it was interrupted; it can be asked for again and goes on where it stood. */
  state: z.enum(["none", "running", "failed", "done"]),
  /** It may be asked for: nothing is in the organisation yet, or it began and did not end. */
  possible: z.boolean(),
  step: withDescription(z.nullable(z.enum(DEMO_STEPS)), "what is being done while it runs"),
  progress: withDescription(z.number().check(z.minimum(0), z.maximum(1)), "0 to 1, of all of it"),
  /** The project whose chat to open. */
  project_id: z.nullable(id),
  /** Why it failed, for a person. */
  failure: z.nullable(z.string()),
});
export type Demo = z.infer<typeof demo>;

export const getDemo = operation({
  method: "GET",
  path: "/api/v2/demo",
  group: "Service",
  summary: "How far the demo project is",
  source: "extension",
  scope: "admin",
  rule: "demo.make",
  response: single("demo", demo),
});
/** Runs in the background. By itself it happens once: asked again it answers how far it is. */
export const makeDemo = operation({
  method: "POST",
  path: "/api/v2/demo",
  group: "Service",
  summary: "Make a demo project, in an organisation that has no project yet; asked again it says how far it is",
  source: "extension",
  scope: "admin",
  rule: "demo.make",
  response: single("demo", demo),
});
