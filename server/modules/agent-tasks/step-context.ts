/** What a step of a run knows. */
import type { Actor } from "../../access/access.ts";
import type { Row } from "../../db/schema.ts";
import type { FileFacts } from "./facts.ts";

export interface StepContext {
  actor: Actor;
  task: Row<"agent_tasks">;
  run: Row<"agent_task_runs">;
  /** The file that the run is about. */
  about: FileFacts | null;
  /** Aborts when the step should end: the run was canceled, or another process executes it. */
  signal: AbortSignal;
  /** Adds a line to the log of the run. */
  log(text: string): Promise<void>;
}
