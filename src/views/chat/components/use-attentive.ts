import { useSyncExternalStore } from "react";
import { isAttentive, onAttention } from "../../../lib/attention.ts";

/** Whether somebody looks at this page right now. */
export const useAttentive = () => useSyncExternalStore(onAttention, isAttentive);
