/** All attacks, in the order in which they run. */
import type { Attack } from "./attack.ts";
import { CONNECTION_ATTACKS } from "./connection-attacks.ts";
import { READING_ATTACKS } from "./reading-attacks.ts";
import { UPLOAD_ATTACKS } from "./upload-attacks.ts";

export const ATTACKS: readonly Attack[] = [...CONNECTION_ATTACKS, ...READING_ATTACKS, ...UPLOAD_ATTACKS];
