/** Times in the demo's songs, in seconds. A test in tools/demo-render compares them with the songs. */
export const NIGHTDRIVE_TIMES = { bar: 1.875, verse: 15, drop: 22.5, break: 37.5, lastDrop: 45 };
export const HALOGEN_TIMES = { bridge: 22.069, secondDrop: 33.103 };
export const PAPER_MOON_TIMES = { chorus: 15.652 };
export const BRIDGE_WALTZ_TIMES = { bridgeOpens: 15.652 };

/** Formats a time such as `0:22`, rounded down to a whole second. */
export const formatTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
