#!/usr/bin/env node
/** `npm run dev`: client and service with hot reload. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bin", "development", "main.ts"] });
