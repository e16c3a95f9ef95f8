/** Summarizes a project's chat by a model, in parts if it is long. */
import { chatHistory } from "../../../../contract/operations/chat.ts";
import type { Row } from "../../../db/schema.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { iso } from "../../../lib/iso-time.ts";
import { assertScopes } from "../scopes.ts";
import type { StepContext } from "../step-context.ts";
import { type Ask, askIn, type ModelTextDeps } from "./ask.ts";
import { divideLines, loadChatExcerpt } from "./chat-excerpt.ts";
import { harmlessText } from "./harmless-text.ts";
import { mergeMessages, partMessages, summaryMessages } from "./prompts.ts";

/** A chat that fills more than so many requests is cut: a summary of more would take a model many minutes. */
const MAX_FILLED_REQUESTS = 8;
const FIRST_SUMMARY_MS = 1 * DAY;

const formatTime = (time: number): string => `${iso(time).slice(0, 16).replace("T", " ")} UTC`;

/** Returns from when on the run summarizes: every attempt at it, the same messages. */
async function loadSince({ database }: ModelTextDeps, task: Row<"agent_tasks">, run: Row<"agent_task_runs">): Promise<number> {
  if (task.since_hours !== null) return run.created_at - task.since_hours * HOUR;
  const previous = await database.read
    .selectFrom("agent_task_runs")
    .select("created_at")
    .where("task_id", "=", task.id)
    .where("state", "=", "succeeded")
    .where("id", "<", run.id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return previous?.created_at ?? run.created_at - FIRST_SUMMARY_MS;
}

/** Returns null if nothing was written. */
export async function composeSummary(deps: ModelTextDeps, context: StepContext): Promise<string | null> {
  const { actor, task, run } = context;
  const { ask, inputCharacters } = askIn(deps, context);
  assertScopes(actor, chatHistory);
  const since = await loadSince(deps, task, run);
  const { lines, names, isCut } = await loadChatExcerpt(deps, deps.database.read, actor, {
    projectId: task.project_id,
    since,
    until: run.created_at,
    exceptAccountId: task.agent_id,
    maxCharacters: MAX_FILLED_REQUESTS * inputCharacters,
    maxLineCharacters: Math.floor(inputCharacters / 2),
  });
  if (lines.length === 0) {
    await context.log(`Nobody wrote anything since ${formatTime(since)}.`);
    return null;
  }
  const { name } = await deps.database.read.selectFrom("projects").select("name").where("id", "=", task.project_id).executeTakeFirstOrThrow();
  if (isCut) await context.log(`The chat is too long: only its newest ${lines.length} messages are summarized.`);
  const text = await summarizeLines(ask, name, lines, task.prompt, inputCharacters, context.log);
  const start = `Summary since ${formatTime(since)}${isCut ? `, newest ${lines.length} messages` : ""}:`;
  return `${start}\n${harmlessText(text, names)}`;
}

async function summarizeLines(
  ask: Ask,
  project: string,
  lines: readonly string[],
  prompt: string | null,
  inputCharacters: number,
  log: StepContext["log"],
): Promise<string> {
  const parts = divideLines(lines, inputCharacters);
  if (parts.length === 1) return ask(summaryMessages(project, parts[0]!, prompt));
  await log(`The ${lines.length} messages are summarized in ${parts.length} parts.`);
  const summaries: string[] = [];
  for (const [index, part] of parts.entries()) summaries.push(await ask(partMessages(project, part, index + 1, parts.length)));
  const perPart = Math.floor(inputCharacters / parts.length);
  return ask(mergeMessages(project, summaries.map((summary) => summary.slice(0, perPart)).join("\n\n"), prompt));
}
