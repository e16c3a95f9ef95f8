/** Marks messages for which a service sends no readable time, so that views do not show a made-up one. */

const TIME_IS_UNKNOWN = "time_is_unknown";

/** Stands for the time of messages in a chat where no message has a readable one. */
export const NO_TIME = new Date(0).toISOString();

/** Gives a message the time of a neighbor, by which it is sorted into a day. */
export const withUnknownTime = <T extends { datetime: string }>(message: T, datetime: string): T => ({ ...message, datetime, [TIME_IS_UNKNOWN]: true });

export const isTimeUnknown = (message: Readonly<Record<string, unknown>>): boolean => message[TIME_IS_UNKNOWN] === true;
