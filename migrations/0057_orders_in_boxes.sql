-- Orders that are packed in several boxes, which are charged. They are few.
create index order_facts_in_boxes on order_facts (client_id, order_id) where boxes > 1;
