/** Asks the model on behalf of a run, whose log says what went wrong on the way. */
import type { ModelMessage } from "../../../models/chat-model.ts";
import { conflict } from "../../../lib/errors.ts";
import type { AgentTaskDeps, StepServices } from "../deps.ts";
import type { StepContext } from "../step-context.ts";

/** Longer answers are cut, so that their sources still fit into a message. */
const ANSWER_CHARACTERS = 5_000;

export const NO_MODEL = "No language model is configured on this service.";

export type ModelTextDeps = Pick<AgentTaskDeps, "database" | "publicUrl" | "model"> & Pick<StepServices, "chat" | "knowledge">;

export type Ask = (messages: ModelMessage[]) => Promise<string>;

/** Throws a 409 if there is no model. */
export function askIn({ model }: ModelTextDeps, { signal, log }: StepContext): { ask: Ask; inputCharacters: number } {
  if (!model) throw conflict(NO_MODEL);
  return {
    inputCharacters: model.inputCharacters,
    async ask(messages) {
      const { text, isCut } = await model.ask({ messages, signal, onRetry: log });
      const isLong = text.length > ANSWER_CHARACTERS;
      if (isCut || isLong) await log(isCut ? "The model stopped before the end of its answer." : "The model's answer was too long, and was cut.");
      const kept = text.slice(0, ANSWER_CHARACTERS).toWellFormed();
      return isCut || isLong ? `${kept}\u2026` : kept;
    },
  };
}
