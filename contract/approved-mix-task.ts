/** The task that the client offers first, and that the demo has: when a mix is approved, post its loudness and ask for the master. */
import type { RuleStep } from "./agent-task-records.ts";

const steps: readonly RuleStep[] = [
  { type: "post_message", text: "{file} is approved: {loudness}, true peak {true_peak}. {link}" },
  { type: "create_task", title: "Upload the master of {file}" },
];

/** `status`: the title of the status to which it reacts, one of those that every team begins with. */
export const APPROVED_MIX_TASK = { name: "Announce approved mixes", status: "Approved", steps };
