#!/usr/bin/env node
/** `npm start`: installs, builds and starts the service. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["server", "main.ts"], needsClient: true });
