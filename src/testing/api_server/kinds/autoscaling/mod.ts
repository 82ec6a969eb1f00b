/**
 * HorizontalPodAutoscalers of autoscaling/v2, and their conversion to autoscaling/v1.
 *
 * @module
 */

export {
  HORIZONTAL_POD_AUTOSCALER,
  HORIZONTAL_POD_AUTOSCALER_V1,
} from "./horizontal_pod_autoscaler.ts";
