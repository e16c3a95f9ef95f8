/** Centers what it pads in wide windows, so that lines stay readable and buttons near the text; the element itself, and its scroll bar, stay as wide as they are. */
export const COLUMN_CLASSES = "px-[max(0px,calc((100%-960px)/2))]";
