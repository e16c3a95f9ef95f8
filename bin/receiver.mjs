#!/usr/bin/env node
/** `npm run receiver`: a local webhook receiver that checks signatures and prints what it receives. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run receiver -- [options]
Receives webhooks on this machine, checks their signatures and prints them.

  --port N            port to listen on (default: 8700)
  --secret whsec_…    signing secret of the endpoint, once or several times
  --status N          status to respond with, 200 to 599 (default: 200)`;

startCommand({ module: ["bin", "receiver", "main.ts"], help });
