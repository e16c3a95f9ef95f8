import type { KeyboardEvent } from "react";

/** What browsers report for a key that belongs to an input method, where they do not say so otherwise. */
const COMPOSING_KEY = 229;

/** Whether the key belongs to an input method, which is putting a character together: it is no Enter of ours. */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === COMPOSING_KEY;
