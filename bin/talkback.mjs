#!/usr/bin/env node
/** `npm start`: installs, builds and starts the service. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm start -- [options]
Installs what is missing, builds the client if it changed, and starts Talkback at http://localhost:3000.

  --allow-local-webhooks   webhooks may go to this machine, also over HTTP, for example to npm run receiver
  --upstream URL           serves only the client, for a Talkback service at another address

Settings such as PORT, DATA_DIR and DATABASE_URL are environment variables; README.md lists them.`;

startCommand({ module: ["server", "main.ts"], needsClient: true, help });
