import type { KeyboardEvent } from "react";

/** Key code of keys that an input method handles, in browsers that do not set `isComposing`. */
const COMPOSING_KEY = 229;

/** Returns whether an input method is using the key to compose a character, so that Enter must not submit. */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === COMPOSING_KEY;
