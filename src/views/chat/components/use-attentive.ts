import { useSyncExternalStore } from "react";
import { isPageVisible, onPageVisibilityChange } from "../../../lib/attention.ts";

/** Returns whether the page is visible and has the focus. */
export const usePageVisible = () => useSyncExternalStore(onPageVisibilityChange, isPageVisible);
