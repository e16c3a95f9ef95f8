/** Operations for the demo: sample projects with audio, images and three weeks of chat, for organizations without projects of their own. */
import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { withDescription, id } from "../text.ts";

export const DEMO_STEPS = ["people", "songs", "chat", "listening"] as const;
export type DemoStep = (typeof DEMO_STEPS)[number];

/** What goes with the demo. A template that describes files of other projects stays, and so do people as "Former member" where others have something of them. */
const demoContents = z.looseObject({
  projects: z.array(z.string()),
  groups: z.array(z.string()),
  people: z.array(z.string()),
  agents: z.array(z.string()),
  metadata_templates: z.array(z.string()),
  delivery_rules: z.boolean(),
  files: z.int(),
  messages: z.int(),
  /** Those of the files and messages that people of the organization have added since. */
  files_added_by_others: z.int(),
  messages_added_by_others: z.int(),
});
export type DemoContents = z.infer<typeof demoContents>;

export const demo = z.looseObject({
  /** `failed`, `removal_failed`: includes interrupted runs; a new request resumes where the run stopped. */
  state: z.enum(["none", "running", "failed", "done", "removing", "removal_failed"]),
  /** True if a run can be started: the organization has no project yet, or a run is unfinished. */
  possible: z.boolean(),
  step: withDescription(z.nullable(z.enum(DEMO_STEPS)), "what is being done while it runs"),
  progress: withDescription(z.number().check(z.minimum(0), z.maximum(1)), "0 to 1, of all of it"),
  /** The project whose chat the client opens. */
  project_id: z.nullable(id),
  /** Why it failed, as readable text. */
  failure: z.nullable(z.string()),
  contents: withDescription(z.optional(z.nullable(demoContents)), "what removing it would delete; null while there is nothing to remove"),
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
/** Runs in the background, also across restarts. What people have added to the demo's projects goes too; everything else of theirs stays. */
export const removeDemo = operation({
  method: "DELETE",
  path: "/api/v2/demo",
  group: "Service",
  summary: "Remove the demo with everything in it: projects, files, people; a repeated request returns the progress",
  source: "extension",
  scope: "admin",
  rule: "demo.make",
  cost: 30,
  response: single("demo", demo),
  errors: { 409: "There is no demo, it is just being created, or you are signed in as one of its people." },
});
