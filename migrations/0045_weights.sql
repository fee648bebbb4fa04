-- The weight of goods beside their measures; null: nobody weighed them.
alter table product_measures add column weight_g integer check (weight_g between 1 and 1000000);
