/** States of processing. The list is open: what this page does not know counts as done. */

/** Processing will go on by itself. */
export const isProcessing = (transcodingStatus: string): boolean => transcodingStatus === "waiting" || transcodingStatus === "transcoding";

export const hasFailed = (transcodingStatus: string): boolean => transcodingStatus === "failed";
