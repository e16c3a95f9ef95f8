#!/usr/bin/env node
/** `npm run admin -- <command>`: works on the data directly and may run beside a running service. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["server", "cli", "main.ts"] });
