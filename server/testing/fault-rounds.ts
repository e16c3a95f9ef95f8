/** Rounds of a fault test: few in `npm test`, since each service start takes time, and many in `npm run faults`. */
export const faultRounds = (defaultRounds: number): number => Number(process.env["TALKBACK_FAULT_ROUNDS"] ?? defaultRounds);
