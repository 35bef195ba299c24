"""The aiming aid: watches a camera, judges its picture, guides live enrolment, and shows it on a page."""
