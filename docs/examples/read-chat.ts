/**
 * Prints the chat of a project, from its first message to its newest.
 *
 *   TALKBACK_TOKEN=tb_pat_… node docs/examples/read-chat.ts https://talkback.example 12
 *
 * The token needs the scope chat:read. Without account:read, and at a service that does not list people, authors are numbers. Exit codes: 0 done, 1 failed, 2 wrong arguments.
 */
import { parseArgs } from "node:util";
import { ApiError } from "../../src/api/api-error.ts";
import { createTalkback, type Talkback } from "../../src/api/talkback.ts";

const HELP = `Usage: TALKBACK_TOKEN=… node docs/examples/read-chat.ts ADDRESS PROJECT_ID [--after MESSAGE_ID]

Prints every message of a project's chat, oldest first. With --after only those after a message.`;

/** Messages name their author by id. Returns the names of a project's members, as far as this token may read them. */
async function loadNames(talkback: Talkback, projectId: number): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  try {
    // `each` requests page after page of a list.
    for await (const { id, username } of talkback.each("listProjectMembers", { project_id: projectId })) names.set(id, username);
  } catch (error) {
    if (!(error instanceof ApiError && (error.status === 403 || error.status === 404))) throw error;
  }
  return names;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: "boolean" }, after: { type: "string", default: "0" } } });
  if (values.help) return console.log(HELP);
  const [baseUrl = "", projectId] = [positionals[0], Number(positionals[1])];
  const token = process.env["TALKBACK_TOKEN"] ?? "";
  if (positionals.length !== 2 || !Number.isInteger(projectId) || !/^\d+$/.test(values.after) || token === "") {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const talkback = createTalkback({ baseUrl, token });

  const names = await loadNames(talkback, projectId);
  // `messages` requests page after page of a chat.
  for await (const message of talkback.messages({ project_id: projectId, after_id: Number(values.after) })) {
    const author = names.get(message.account_id) ?? `account ${message.account_id}`;
    const files = message.attachments.map(({ name }) => ` [${name}]`).join("");
    console.log(`${message.datetime}  ${author}: ${message.body}${files}`);
  }
}

// An `ApiError` says what was wrong: it has `status`, `reason`, and `errors` with the input that was not valid.
main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
