#!/usr/bin/env node
/** `npm run test:soak`: runs the browser tests repeatedly. */
import { startCommand } from "./lib/start-command.mjs";

startCommand({ module: ["bin", "testing", "soak.ts"] });
