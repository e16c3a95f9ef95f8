#!/usr/bin/env node
/** `npm run receiver`: a local receiver of webhooks that checks signatures and prints what it gets. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bin", "receiver", "main.ts"] });
