#!/usr/bin/env node
/** `npm run dev`: client and service with hot reload. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run dev -- [options]
Runs the client and the service with hot reload at http://localhost:5173.
Options are passed to the service: npm start -- --help lists them.`;

startCommand({ module: ["bin", "development", "main.ts"], help });
