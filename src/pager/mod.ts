/**
 * Reads lists that are too large for one response page by page.
 *
 * @module
 */

export {
  ListPager,
  type ListPagerOptions,
  type PagedCall,
  type PagedList,
  type PageFn,
} from "./list_pager.ts";
export { PageProgress } from "./page_progress.ts";
