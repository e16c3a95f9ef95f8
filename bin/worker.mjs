#!/usr/bin/env node
/** `npm run worker`: delivers webhooks beside services that share one PostgreSQL. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["server", "worker.ts"] });
