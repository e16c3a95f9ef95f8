#!/usr/bin/env node
/** `npm run admin -- <command>`: works on the data, also beside a running service. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["server", "admin", "main.ts"] });
