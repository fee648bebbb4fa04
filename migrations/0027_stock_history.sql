-- The stock of a past moment is the balance without the movements since then: one stretch of this index for each of the goods.

create index stock_movements_by_moment on stock_movements (client_id, barcode, at) include (delta, question_delta);
