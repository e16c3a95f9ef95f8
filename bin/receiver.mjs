#!/usr/bin/env node
/** `npm run receiver`: a local webhook receiver that checks signatures and prints what it receives. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bin", "receiver", "main.ts"] });
