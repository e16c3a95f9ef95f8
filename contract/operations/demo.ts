/** Operations for the demo: sample projects with audio, images and three weeks of chat, for organizations without projects of their own. */
import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { withDescription, id } from "../text.ts";

export const DEMO_STEPS = ["people", "songs", "chat", "listening"] as const;
export type DemoStep = (typeof DEMO_STEPS)[number];

export const demo = z.looseObject({
  /** `failed`: includes interrupted runs; a new request resumes where the run stopped. */
  state: z.enum(["none", "running", "failed", "done"]),
  /** True if a run can be started: the organization has no project yet, or a run is unfinished. */
  possible: z.boolean(),
  step: withDescription(z.nullable(z.enum(DEMO_STEPS)), "what is being done while it runs"),
  progress: withDescription(z.number().check(z.minimum(0), z.maximum(1)), "0 to 1, of all of it"),
  /** The project whose chat the client opens. */
  project_id: z.nullable(id),
  /** Why it failed, as readable text. */
  failure: z.nullable(z.string()),
});
export type Demo = z.infer<typeof demo>;

export const getDemo = operation({
  method: "GET",
  path: "/api/v2/demo",
  group: "Service",
  summary: "Progress of the demo project",
  source: "extension",
  scope: "admin",
  rule: "demo.make",
  response: single("demo", demo),
});
/** Runs in the background, once per organization: a repeated request returns the current progress. */
export const createDemo = operation({
  method: "POST",
  path: "/api/v2/demo",
  group: "Service",
  summary: "Create a demo project in an organization that has no project yet; a repeated request returns the progress",
  source: "extension",
  scope: "admin",
  rule: "demo.make",
  cost: 30,
  response: single("demo", demo),
  errors: { 409: "The organization has projects already, or webhook endpoints that the demo would trigger." },
});
