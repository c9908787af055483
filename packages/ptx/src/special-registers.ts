const SPECIAL =
  /^(?:_|WARP_SZ|%(?:n?tid|n?ctaid|laneid|n?warpid|n?smid|gridid|clock|lanemask|n?cluster|is_|pm\d|envreg|total_smem|aggr_smem|dynamic_smem|current_graph|reserved_smem|globaltimer)[\w.]*)$/;

/** Whether a word is one of the hardware's registers or constants. */
export function isSpecial(word: string): boolean {
  return SPECIAL.test(word);
}
