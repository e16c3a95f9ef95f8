/** How often a fault test kills what it tests: a few times in `npm test`, since each start takes its time, and often in `npm run faults`. */
export const faultRounds = (defaultRounds: number): number => Number(process.env["TALKBACK_FAULT_ROUNDS"] ?? defaultRounds);
