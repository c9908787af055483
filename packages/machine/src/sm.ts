/** Lanes of a warp, on every device (docs/RULES.md section 7). */
export const WARP_SIZE = 32;
/** Sub-partitions of an SM, each with a warp scheduler, of compute capability 8.0 and above (docs/RULES.md section 7). */
export const SUB_PARTITIONS = 4;
