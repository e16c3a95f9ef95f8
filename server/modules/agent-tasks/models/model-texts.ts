/** Texts that agents post and a model writes. */
import { ModelError } from "../../../models/model-error.ts";
import type { StepContext } from "../step-context.ts";
import { composeAnswer } from "./answer.ts";
import { askIn, type ModelTextDeps } from "./ask.ts";
import { harmlessText } from "./harmless-text.ts";
import { introductionMessages } from "./prompts.ts";
import { composeSummary } from "./summary.ts";

export function createModelTexts(deps: ModelTextDeps) {
  return {
    summarize: (context: StepContext) => composeSummary(deps, context),
    answer: (context: StepContext) => composeAnswer(deps, context),
    /** Returns the result with an introduction; the result alone if nobody asked for one or the model fails, since the check does not depend on a model. */
    async introduce(context: StepContext, result: string): Promise<string> {
      const { prompt } = context.task;
      if (prompt === null || !deps.model) return result;
      try {
        return `${harmlessText(await askIn(deps, context).ask(introductionMessages(result, prompt)))}\n\n${result}`;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        await context.log(`${error.message} The result is posted without an introduction.`);
        return result;
      }
    },
  };
}
