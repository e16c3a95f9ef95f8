/** Answers a question from the documents of a project by a model, with links to the pages that it used. */
import { searchKnowledgeBase } from "../../../../contract/operations/knowledge.ts";
import { invalid } from "../../../lib/errors.ts";
import type { Passage } from "../../knowledge/knowledge-search.ts";
import { assertScopes } from "../scopes.ts";
import type { StepContext } from "../step-context.ts";
import { askIn, type ModelTextDeps } from "./ask.ts";
import { cutText, harmlessText } from "./harmless-text.ts";
import { answerMessages, NO_ANSWER } from "./prompts.ts";

const MAX_PASSAGES = 8;
const QUOTED_QUESTION_CHARACTERS = 300;
const FILE_NAME_CHARACTERS = 100;

const CITATION = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;

/** Removes numbers of passages that do not exist. Returns the indexes of those that the text cites. */
function readCitations(text: string, count: number): { text: string; cited: Set<number> } {
  const cited = new Set<number>();
  const checked = text.replaceAll(CITATION, (_, list: string) => {
    const numbers = list
      .split(",")
      .map(Number)
      .filter((number) => number >= 1 && number <= count);
    for (const number of numbers) cited.add(number - 1);
    return numbers.map((number) => `[${number}]`).join("");
  });
  return { text: checked, cited };
}

/** Returns the text to post. Without passages the model is not asked. */
export async function composeAnswer(deps: ModelTextDeps, context: StepContext): Promise<string> {
  const { actor, task, run, log } = context;
  const { ask, inputCharacters } = askIn(deps, context);
  const question = run.prompt ?? task.prompt;
  if (question === null) throw invalid("prompt", "must be the question, because the task has none");
  assertScopes(actor, searchKnowledgeBase);
  const start = `Question: ${cutText(harmlessText(question.replaceAll(/\s+/g, " ")), QUOTED_QUESTION_CHARACTERS)}`;
  const passages = await deps.knowledge.findPassages(actor, question, task.project_id, MAX_PASSAGES);
  if (passages.length === 0) {
    await log("No document has words of the question, so the model was not asked.");
    return `${start}\nI found nothing about this in the documents of this project.`;
  }
  await log(`Found ${passages.length === 1 ? "one page" : `${passages.length} pages`} for the question.`);
  const answer = await ask(answerMessages(question, passages, Math.floor(inputCharacters / passages.length)));
  if (answer.includes(NO_ANSWER)) return `${start}\nThe documents of this project do not answer this.`;
  const { text, cited } = readCitations(harmlessText(answer), passages.length);
  const link = ({ file, page }: Passage) => `${deps.publicUrl}/files/${file.id}?page=${page}`;
  const nameOf = ({ file }: Passage) => cutText(harmlessText(file.name), FILE_NAME_CHARACTERS);
  // A model that cites nothing has still read all of them.
  const sources = passages.flatMap((passage, index) =>
    cited.size === 0 || cited.has(index) ? [`[${index + 1}] ${nameOf(passage)}, ${passage.pageLabel}: ${link(passage)}`] : [],
  );
  return [`${start}\n${text}`, `Sources:\n${sources.join("\n")}`].join("\n\n");
}
