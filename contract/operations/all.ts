/** Every operation the service offers, by name. The client imports single files instead, so that it loads only what it calls. */
import * as accounts from "./accounts.ts";
import * as chat from "./chat.ts";
import * as files from "./files.ts";
import * as filesView from "./files-view.ts";
import * as messages from "./messages.ts";
import * as projects from "./projects.ts";
import * as session from "./session.ts";
import * as tasks from "./tasks.ts";
import * as teams from "./teams.ts";
import * as webhooks from "./webhooks.ts";

export const operations = { ...chat, ...messages, ...files, ...filesView, ...tasks, ...projects, ...teams, ...accounts, ...session, ...webhooks };
export type OperationName = keyof typeof operations;
