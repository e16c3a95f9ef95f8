#!/usr/bin/env node
/** `npm run test:soak`: runs the browser tests repeatedly. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run test:soak -- [rounds] [text]
Runs the browser tests repeatedly, in random order and without retries, every second round under load.

  rounds   how many (default: 20), or which ones, such as 7-12
  text     only tests whose path or title contains it`;

startCommand({ module: ["bin", "testing", "soak.ts"], help });
