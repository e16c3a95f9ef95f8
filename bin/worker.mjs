#!/usr/bin/env node
/** `npm run worker`: delivers webhooks beside services that share one PostgreSQL. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run worker -- [options]
Works for services that share one PostgreSQL and one storage. Needs DATABASE_URL, and the master key of the services.

  --delivery               sends webhooks, push messages and emails (default). Start the services with DELIVERY=off
  --media                  processes uploads. Start the services with MEDIA=off
  --allow-local-webhooks   webhooks may go to this machine, also over HTTP`;

startCommand({ module: ["server", "worker.ts"], help });
